import { createContext, type ReactNode } from "react";

/** Rendering of links, pictures and headings, which only the app's own text may have. */
export interface OwnMarkdown {
  readonly link: (url: string, children: ReactNode) => ReactNode;
  readonly picture: (source: string, description: string) => ReactNode;
  readonly heading: (level: number, text: string, children: ReactNode) => ReactNode;
}

/** `null` for a server's text. */
export const OwnMarkdownContext = createContext<OwnMarkdown | null>(null);
