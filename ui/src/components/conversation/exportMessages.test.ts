import { describe, expect, it } from "vitest";

import { exportMessages, messagesAsText } from "./exportMessages";

const text = (words: string) => ({ type: "text", text: words });
const image = { type: "image", data: "AAAA", mimeType: "image/png" };
const audio = { type: "audio", data: "BBBB", mimeType: "audio/wav" };
const link = { type: "resource_link", uri: "x:1", name: "x" };
const embedded = { type: "resource", resource: { uri: "x:2", text: "inside" } };
const pdf = { type: "resource", resource: { uri: "x:3", mimeType: "application/pdf", blob: "CCCC" } };

function result(...messages: readonly (readonly [role: string, content: unknown])[]): string {
  return JSON.stringify({ messages: messages.map(([role, content]) => ({ role, content })) });
}

const all = result(["user", text("a")], ["user", image], ["user", audio], ["user", link], ["user", embedded]);

describe("messages for a model", () => {
  it("are what Anthropic takes", () => {
    const { text: exported, leftOut } = exportMessages(all, "anthropic");
    expect(JSON.parse(exported)).toEqual([
      { role: "user", content: [text("a")] },
      { role: "user", content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }] },
      { role: "user", content: [text("inside")] },
    ]);
    expect(leftOut).toEqual(["audio (audio/wav)", "2 × message without anything that is left of it", "resource link"]);
    const document = JSON.parse(exportMessages(result(["assistant", pdf]), "anthropic").text) as unknown;
    expect(document).toMatchObject([{ role: "assistant", content: [{ type: "document" }] }]);
  });

  it("are what OpenAI takes", () => {
    const { text: exported, leftOut } = exportMessages(all, "openai");
    expect(JSON.parse(exported)).toEqual([
      { role: "user", content: [text("a")] },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] },
      { role: "user", content: [{ type: "input_audio", input_audio: { data: "BBBB", format: "wav" } }] },
      { role: "user", content: [text("inside")] },
    ]);
    expect(leftOut).toEqual(["resource link", "message without anything that is left of it"]);
    expect(exportMessages(result(["assistant", [text("b"), image]]), "openai").leftOut).toEqual(["image (image/png)"]);
  });

  it("say which roles and members have no place", () => {
    const odd = result(["system", text("a")], ["user", { ...text("b"), annotations: {} }]);
    expect(exportMessages(odd, "anthropic").leftOut).toEqual(["message of the role “system”", "annotations"]);
    for (const nothing of ["{}", '{"messages":3}', "[]"]) {
      expect(exportMessages(nothing, "openai")).toEqual({ text: "[]", leftOut: [] });
    }
  });

  it("are text under their roles", () => {
    expect(messagesAsText(result(["user", text("a")], ["assistant", image]))).toBe(
      "user:\na\n\nassistant:\n[image (image/png)]",
    );
  });
});
