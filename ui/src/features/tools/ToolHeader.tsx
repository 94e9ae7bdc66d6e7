import { AppWindow } from "lucide-react";

import { Badge } from "../../components/Badge";
import { ItemHeader } from "../../components/ItemHeader";
import { claims, type Claim } from "../../components/toolClaims";
import type { ServerId, ToolDetail } from "../../ipc/bindings";

/** Title, name and warning claims of a tool; below, its description, and its definition with the usual claims. */
export function ToolHeader({ server, detail }: { server: ServerId; detail: ToolDetail }) {
  const { resource_uri: uri, for_model: forModel, for_app: forApp } = detail.app;
  const all = claims(detail.row);
  // Only unusual claims are marked beside the name.
  const usual = all.filter(({ tone }) => tone !== "warn");
  const badges = (
    <>
      <Claims of={all.filter(({ tone }) => tone === "warn")} />
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
      detail={detail}
      beside={badges}
      details={
        usual.length > 0 && (
          <div className="wraps gap8 flexed" role="group" aria-label="Annotations">
            <Claims of={usual} />
          </div>
        )
      }
    />
  );
}

function Claims({ of }: { readonly of: readonly Claim[] }) {
  return of.map((claim) => (
    <Badge key={claim.label} tone={claim.tone} icon={claim.icon} tip={claim.tip}>
      {claim.label}
    </Badge>
  ));
}
