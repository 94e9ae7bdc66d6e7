import { describe, expect, it } from "vitest";

import { PixelBudget, readPicture } from "./pictures";

const bytes = (...parts: (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === "string" ? [...part].map((one) => one.charCodeAt(0)) : part)),
  );

const PNG = bytes("\x89PNG\r\n\x1a\n", [0, 0, 0, 13], "IHDR", [0, 0, 0x59, 0xd8, 0, 0, 0x59, 0xd8, 1, 0]);
const JPEG = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 17, 8, 0x01, 0x00, 0x02, 0x00]);
const GIF = bytes(
  "GIF89a",
  [10, 0, 5, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0],
  [0x21, 0xf9, 1, 9, 0],
  [0x2c, 0, 0, 2, 0, 10, 0, 9, 0],
);
const WEBP = bytes("RIFF", [0, 0, 0, 0], "WEBPVP8X", [10, 0, 0, 0, 0, 0, 0, 0], [0xff, 0x1f, 0, 0xff, 0x0f, 0]);
const WEBP_LOSSLESS = bytes("RIFF", [0, 0, 0, 0], "WEBPVP8L", [0, 0, 0, 0, 0x2f], [0x63, 0x40, 0x0c, 0]);
const BMP = bytes("BM", Array<number>(12).fill(0), [40, 0, 0, 0], [8, 0, 0, 0], [0xfc, 0xff, 0xff, 0xff]);

describe("the size of a picture", () => {
  it.each([
    ["PNG", PNG, { type: "image/png", width: 23_000, height: 23_000 }],
    ["JPEG", JPEG, { type: "image/jpeg", width: 512, height: 256 }],
    ["GIF with a frame beyond its canvas", GIF, { type: "image/gif", width: 10, height: 11 }],
    ["WebP", WEBP, { type: "image/webp", width: 8192, height: 4096 }],
    ["lossless WebP", WEBP_LOSSLESS, { type: "image/webp", width: 100, height: 50 }],
    ["BMP from top to bottom", BMP, { type: "image/bmp", width: 8, height: 4 }],
  ])("is read from the head of a %s", (_, file, picture) => {
    expect(readPicture(file)).toEqual(picture);
  });

  it.each([
    ["an SVG", bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["nothing", bytes()],
    ["a head that ends early", PNG.slice(0, 18)],
    ["a JPEG whose frame header comes after a marker without a length", bytes([0xff, 0xd8, 0xff, 0x01, 0xff, 0xc0])],
    ["a picture without pixels", bytes("\x89PNG\r\n\x1a\n", [0, 0, 0, 13], "IHDR", [0, 0, 0, 0, 0, 0, 0, 9])],
  ])("is unknown for %s", (_, file) => {
    expect(readPicture(file)).toBeNull();
  });

  it("is read where the bytes are a part of others", () => {
    const larger = bytes([1, 2, 3], [...PNG]);
    expect(readPicture(larger.subarray(3))?.width).toBe(23_000);
  });
});

describe("the pixels of all pictures", () => {
  const picture = (side: number) => ({ type: "image/png", width: side, height: side }) as const;

  it("have one limit", () => {
    const budget = new PixelBudget(100);
    const giveBack = budget.take(picture(8));
    expect(giveBack).not.toBeNull();
    expect(budget.take(picture(7))).toBeNull();
    expect(budget.take(picture(6))).not.toBeNull();
    giveBack?.();
    giveBack?.();
    expect(budget.take(picture(8))).not.toBeNull();
    expect(budget.take(picture(1))).toBeNull();
  });
});
