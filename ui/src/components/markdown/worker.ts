/** The worker that parses Markdown: one text for each message, one answer for each text. */
import { parseMarkdown } from "./parse";

addEventListener("message", ({ data }: MessageEvent<string>) => postMessage(parseMarkdown(data)));
