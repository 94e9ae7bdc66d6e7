/**
 * Whether a text is meant to be the configuration of another client, so that it is worth saying why it
 * cannot be read. Whether it can is the host's work.
 */
export function looksLikeServers(text: string): boolean {
  const trimmed = text.trim();
  if (!/^["{[]/.test(trimmed)) return false;
  return /"(mcpServers|servers|mcp|context_servers)"\s*:/.test(trimmed) || /"(command|url)"\s*:\s*"/.test(trimmed);
}
