/** The worker that parses Markdown: it says when it is ready, then has one answer for each text. */
import { parseMarkdown } from "./parse";

addEventListener("message", ({ data }: MessageEvent<string>) => postMessage(parseMarkdown(data)));
postMessage("ready");
