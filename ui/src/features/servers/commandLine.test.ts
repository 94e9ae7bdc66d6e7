import { describe, expect, it } from "vitest";

import { splitCommandLine } from "./commandLine";

describe("taking a command line apart", () => {
  it.each([
    ["npx -y @scope/server /home/ada", "npx", ["-y", "@scope/server", "/home/ada"]],
    ['server "a folder" \'b "c"\'', "server", ["a folder", 'b "c"']],
    ["server a\\ b ''", "server", ["a b", ""]],
    ['server "say \\"hi\\" \\n"', "server", ['say "hi" \\n']],
    ["C:\\tools\\server.exe --root C:\\data", "C:\\tools\\server.exe", ["--root", "C:\\data"]],
    ["  $ uvx   mcp-server-time ", "uvx", ["mcp-server-time"]],
    ["server --json='{\"a\":1}'x", "server", ['--json={"a":1}x']],
    ["docker run \\\n  -i image", "docker", ["run", "-i", "image"]],
    ["", "", []],
  ])("%j", (line, command, args) => {
    const split = splitCommandLine(line);
    expect(split.command).toBe(command);
    expect(split.args).toEqual(args);
    expect(split.remarks).toEqual([]);
  });

  it("takes assignments before the program as environment, and those behind it as arguments", () => {
    const split = splitCommandLine('KEY="a b" EMPTY= node server.js LATER=1');
    expect(split.env).toEqual([
      { name: "KEY", value: "a b" },
      { name: "EMPTY", value: "" },
    ]);
    expect(split.args).toEqual(["server.js", "LATER=1"]);
  });

  it("says what a shell would have done otherwise", () => {
    expect(splitCommandLine("server $HOME").remarks).toHaveLength(1);
    expect(splitCommandLine("server | tee log").remarks).toHaveLength(1);
    expect(splitCommandLine('server "open').remarks).toHaveLength(1);
    expect(splitCommandLine('server "open').args).toEqual(["open"]);
  });
});
