/**
 * True if a text looks like the configuration of another client, so that a failure to read it should be explained. The
 * host decides if it can be read.
 */
export function looksLikeServers(text: string): boolean {
  const trimmed = text.trim();
  if (!/^["{[]/.test(trimmed)) return false;
  return /"(mcpServers|servers|mcp|context_servers)"\s*:/.test(trimmed) || /"(command|url)"\s*:\s*"/.test(trimmed);
}
