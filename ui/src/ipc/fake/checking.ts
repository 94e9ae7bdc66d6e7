import type { FieldProblem, ServerConfig, ServerField } from "../bindings";

/** Finds some of the problems that the backend finds, so that each kind of field can be shown with a problem. */
export function checkServer({ transport, roots, declaration }: ServerConfig): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const refuse = (wrong: boolean, field: ServerField, message: string, row: number | null = null): void => {
    if (wrong) problems.push({ field, row, message });
  };
  if (transport.type === "stdio") {
    refuse(transport.command.trim() === "", "command", "Enter the command to run, for example npx or uvx.");
    transport.env.forEach(({ name }, row) =>
      refuse(name.trim() === "", "variable_name", "Enter the name of the variable.", row),
    );
  }
  if (transport.type === "http") {
    const { url, network, auth } = transport;
    const schemes = "http://, https://, ws:// or wss://";
    refuse(!url.includes("://"), "url", `This is not a complete URL. It must start with ${schemes}.`);
    refuse(
      network.proxy.type === "at" && !network.proxy.url.includes("://"),
      "proxy_url",
      "Enter the proxy URL. It must start with http://, https:// or socks5://.",
    );
    if (auth.type === "token" && auth.token.type === "set") {
      const spaced = /\s/.test(auth.token.value.replace(/^Bearer /, ""));
      refuse(spaced, "token", "A token cannot contain spaces, line breaks or non-ASCII characters.");
    }
    if (auth.type === "sign_in") {
      const { grant, client_id, client_secret, issuer } = auth.options;
      if (grant.type === "client_secret") {
        refuse(client_id === null, "client_id", "Enter the client ID.");
        refuse(client_secret === null, "client_secret", "Enter the client secret.");
      }
      refuse(issuer !== null && !issuer.includes("://"), "issuer", "This is not a complete URL.");
    }
  }
  roots.forEach(({ folder }, row) =>
    refuse(/^\w/.test(folder), "root_folder", "Enter the whole path of a folder, or a file:// URI.", row),
  );
  declaration.extensions.forEach(({ settings }, row) =>
    refuse(settings === "[", "extension_settings", "Enter a JSON object, for example {}.", row),
  );
  return problems;
}
