import { AppWindow } from "lucide-react";

import { Badge } from "../../components/Badge";
import { ItemHeader } from "../../components/ItemHeader";
import { claims } from "../../components/toolClaims";
import type { ServerId, ToolDetail } from "../../ipc/bindings";

/** Title, name and claims of a tool, its description and its definition. */
export function ToolHeader({ server, detail }: { server: ServerId; detail: ToolDetail }) {
  const { row, description, extras, raw } = detail;
  const { resource_uri: uri, for_model: forModel, for_app: forApp } = detail.app;
  const badges = (
    <>
      {claims(row).map((claim) => (
        <Badge key={claim.label} tone={claim.tone} icon={claim.icon} tip={claim.tip}>
          {claim.label}
        </Badge>
      ))}
      {uri !== null && (
        <Badge icon={AppWindow} tip={`A run of this tool can be shown as an app: ${uri}`}>
          App
        </Badge>
      )}
      {!(forModel && forApp) && (
        <Badge tip="What the server says of who may call the tool (_meta.ui.visibility). Sonde calls it all the same when you do.">
          {forModel ? "Not for apps" : forApp ? "For apps only" : "For nobody"}
        </Badge>
      )}
    </>
  );
  return (
    <ItemHeader
      server={server}
      kind="tools"
      name="Tool"
      row={row}
      description={description}
      extras={extras}
      raw={raw}
      badges={badges}
    />
  );
}
