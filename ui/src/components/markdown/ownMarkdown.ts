import { createContext, type ReactNode } from "react";

/** How the app's own text is drawn where a server's would not be: its links, pictures and headings. */
export interface OwnMarkdown {
  readonly link: (url: string, children: ReactNode) => ReactNode;
  readonly picture: (source: string, description: string) => ReactNode;
  readonly heading: (level: number, text: string, children: ReactNode) => ReactNode;
}

/** `null`: the text is a server's. */
export const OwnMarkdownContext = createContext<OwnMarkdown | null>(null);
