import { Badge } from "../../components/Badge";
import { ItemHeader } from "../../components/ItemHeader";
import { claims } from "../../components/toolClaims";
import type { ServerId, ToolDetail } from "../../ipc/bindings";

/** Title, name and claims of a tool, its description and its definition. */
export function ToolHeader({ server, detail }: { server: ServerId; detail: ToolDetail }) {
  const { row, description, extras, raw } = detail;
  const badges = claims(row).map((claim) => (
    <Badge key={claim.label} tone={claim.tone} icon={claim.icon} tip={claim.tip}>
      {claim.label}
    </Badge>
  ));
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
