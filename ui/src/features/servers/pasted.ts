/**
 * Whether a pasted text may be the configuration JSON of another client, so that offering to
 * import it is no nuisance. Reading it is the host's work.
 */
export function looksLikeServers(text: string): boolean {
  const trimmed = text.trim();
  if (!/^["{[]/.test(trimmed)) return false;
  return /"(mcpServers|servers|mcp|context_servers)"\s*:/.test(trimmed) || /"(command|url)"\s*:\s*"/.test(trimmed);
}
