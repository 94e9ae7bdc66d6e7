import { AppWindow } from "lucide-react";
import { useEffect } from "react";

import { Badge } from "../../components/Badge";
import { Callout } from "../../components/Callout";
import { Disclosure } from "../../components/Disclosure";
import { FindingList, FindingsCallout, useHeard } from "../../components/Findings";
import { ItemFault } from "../../components/ItemFault";
import { ItemHeader } from "../../components/ItemHeader";
import { claims, type Claim } from "../../components/toolClaims";
import type { FindingView, ServerId, ToolDetail } from "../../ipc/bindings";
import { number } from "../../lib/format";
import { catalogActions } from "../../state/actions/catalogs";
import { draftActions } from "../../state/actions/drafts";
import { useActions, useDraft } from "../../state/hooks";
import { useItemDetail, useToolLint } from "../../state/queries";
import { draftKey, focusMark, focusNames } from "../../state/view";
import { ToolForm } from "./ToolForm";

/** One tool: its description, and the form to run it. */
export function ToolView({ server, tool }: { server: ServerId; tool: string }) {
  const detail = useItemDetail(server, "tools", tool);
  const draft = useDraft(server, tool);
  const actions = useActions();
  const schemaText = detail.value ? (detail.value.input_schema ?? "{}") : undefined;

  useEffect(() => {
    if (schemaText !== undefined) void actions.get(draftActions).openDraft(server, tool, schemaText);
  }, [actions, server, tool, schemaText]);

  // While the form is older than the list or missing, it must not take the focus.
  const isThere = draft !== undefined && detail.value !== undefined;
  return (
    <div className="fill scrollsDown" {...(isThere && focusMark(focusNames.form(draftKey(server, tool))))}>
      <ItemFault
        detail={detail}
        one="tool"
        onFirst={() => actions.get(catalogActions).selectItem(server, "tools", null)}
      />
      {detail.value && (
        <>
          {draft ? (
            <ToolForm
              server={server}
              tool={tool}
              draft={draft}
              forbidden={detail.value.row.forbidden !== null}
              taskSupport={detail.value.task_support}
            >
              <Description server={server} detail={detail.value} />
            </ToolForm>
          ) : (
            <Description server={server} detail={detail.value} />
          )}
        </>
      )}
    </div>
  );
}

function Description({ server, detail }: { server: ServerId; detail: ToolDetail }) {
  const lint = useToolLint(server, detail.row.key);
  const told = detail.findings.filter((finding) => finding.message !== detail.schema_error);
  const findings = told.filter(({ group }) => group === "spec");
  const others = [...told.filter(({ group }) => group !== "spec"), ...(lint.state === "done" ? lint.value : [])];
  // Findings that are only informative are kept away from the form.
  const infos = others.filter(({ severity }) => severity === "info");
  // The schema error is shown once, with its violations of the specification.
  const ofSchema = ({ location }: FindingView) => detail.schema_error !== null && /^.inputSchema/.test(location ?? "");
  const at = { server, subject: `item tools ${detail.row.key}` };
  const [heard] = useHeard(infos, at);
  return (
    <>
      <ToolHeader server={server} detail={detail} />
      {detail.row.forbidden !== null && (
        <Callout level="error" title="The protocol forbids calling this tool.">
          {detail.row.forbidden}
        </Callout>
      )}
      {detail.schema_error !== null && (
        <Callout level="warning" title="The input schema cannot be used for validation.">
          <p>{detail.schema_error}</p>
          {findings.some(ofSchema) && <FindingList findings={findings.filter(ofSchema)} at={at} />}
        </Callout>
      )}
      <FindingsCallout
        title="The definition does not follow the specification"
        findings={findings.filter((finding) => !ofSchema(finding))}
        at={at}
      />
      <FindingsCallout
        title="Advice on hosts, cost, clarity and trust"
        findings={others.filter(({ severity }) => severity !== "info")}
        at={at}
      />
      {heard.length > 0 ? (
        <Disclosure summary={`Worth knowing (${number(heard.length)})`}>
          <FindingList findings={infos} at={at} />
        </Disclosure>
      ) : (
        <FindingList findings={infos} at={at} />
      )}
    </>
  );
}

/** Title, name and warning claims of a tool; below, its description, and its definition with the usual claims. */
function ToolHeader({ server, detail }: { server: ServerId; detail: ToolDetail }) {
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
