/** Worker that parses Markdown: it reports that it is ready, then sends one answer for each text. */
import { parseMarkdown } from "./parse";

addEventListener("message", ({ data }: MessageEvent<string>) => postMessage(parseMarkdown(data)));
postMessage("ready");
