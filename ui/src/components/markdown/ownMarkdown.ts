import { createContext, type ReactNode } from "react";

/** Rendering of the parts that the app's own text may have and a server's may not: links, pictures and headings. */
export interface OwnMarkdown {
  readonly link: (url: string, children: ReactNode) => ReactNode;
  readonly picture: (source: string, description: string) => ReactNode;
  readonly heading: (level: number, text: string, children: ReactNode) => ReactNode;
}

/** `null`: the text is a server's. */
export const OwnMarkdownContext = createContext<OwnMarkdown | null>(null);
