import { FileText } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { CopiedText } from "../../components/CopiedText";
import { Facts } from "../../components/Facts";
import { FindingsCallout } from "../../components/Findings";
import { ItemDescription } from "../../components/ItemDescription";
import { ItemFault } from "../../components/ItemFault";
import { ItemHeader } from "../../components/ItemHeader";
import { Marked } from "../../components/Marked";
import { ReadForm } from "../../components/ReadForm";
import { Section } from "../../components/Section";
import type { ServerId, SkillDetail, SkillFileView } from "../../ipc/bindings";
import { commitThen } from "../../lib/focus";
import { bytes, count, number } from "../../lib/format";
import { catalogActions } from "../../state/actions/catalogs";
import { operationActions } from "../../state/actions/operations";
import { useActions, useIsReady } from "../../state/hooks";
import { useItemDetail } from "../../state/queries";

/** Number of files listed initially. */
const FIRST_FILES = 20;

/** One skill: its entry, its files, and the button to read it. */
export function SkillView({ server, skill }: { readonly server: ServerId; readonly skill: string }): ReactNode {
  const detail = useItemDetail(server, "skills", skill);
  const actions = useActions().get(catalogActions);
  return (
    <div className="stack fit">
      <ItemFault detail={detail} one="skill" onFirst={() => actions.selectItem(server, "skills", null)} />
      {detail.value && (
        <ReadForm
          one="skill"
          server={server}
          uri={detail.value.uri}
          why="The skill has no URI that can be read."
          about={detail.value.uri ?? ""}
        >
          <About server={server} detail={detail.value} />
        </ReadForm>
      )}
    </div>
  );
}

function About({ server, detail }: { readonly server: ServerId; readonly detail: SkillDetail }): ReactNode {
  const { row, uri, description, fields, files } = detail;
  return (
    <>
      <ItemHeader
        server={server}
        kind="skills"
        detail={detail}
        about={(definition) => (
          <>
            <ItemDescription text={description} definition={definition} />
            {uri !== null && <CopiedText label="Copy URI" text={uri} />}
          </>
        )}
      >
        <FindingsCallout
          title="The entry does not follow the extension"
          findings={detail.findings}
          at={{ server, subject: `item skills ${row.key}` }}
        />
      </ItemHeader>
      <Section title="Front matter">
        <Facts
          items={[
            ["name", <code key="name">{row.name}</code>],
            ...fields.map(
              ({ name, value }) =>
                [
                  name,
                  <span key={name} className="breakable asWritten">
                    <Marked text={value} />
                  </span>,
                ] as const,
            ),
          ]}
        />
        {detail.more_fields && <p className="note">Only the first 100 fields are shown.</p>}
      </Section>
      <Section title="Files">
        {files === null ? (
          <p className="note">The server does not list the files of this skill.</p>
        ) : (
          <Files key={row.key} server={server} files={files} total={detail.file_count} />
        )}
      </Section>
    </>
  );
}

interface FilesProps {
  readonly server: ServerId;
  readonly files: readonly SkillFileView[];
  /** Number of files that the server lists. */
  readonly total: number;
}

/** Files listed by the entry. Each is read as a resource, and compared with its entry. */
function Files({ server, files, total }: FilesProps): ReactNode {
  const actions = useActions().get(operationActions);
  const ready = useIsReady(server);
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const shown = all ? files : files.slice(0, FIRST_FILES);
  return (
    <>
      <ul ref={list} className="stack gap2 noBullets">
        {shown.map(({ uri, path, size, digest }, place) => (
          <li key={place} className="wrap gap2x8">
            <Button
              small
              kind="quiet"
              icon={FileText}
              disabled={!ready || uri === null}
              title={digest ?? "The server gives no digest."}
              onClick={() => uri !== null && void actions.openUri(server, uri)}
            >
              <span className="monoFont breakable">
                <Marked text={path} />
              </span>
            </Button>
            <span className="note">{size === null ? "no size" : bytes(size)}</span>
          </li>
        ))}
      </ul>
      {shown.length < files.length && (
        <Button
          small
          kind="quiet"
          onClick={() =>
            commitThen(
              () => setAll(true),
              () => list.current?.children[FIRST_FILES]?.querySelector("button")?.focus(),
            )
          }
        >
          Show {number(files.length)} files
        </Button>
      )}
      {files.length < total && (
        <p className="note">
          {`Of ${count(total, "file", "files")} ${number(files.length)} are listed here. The definition has all.`}
        </p>
      )}
    </>
  );
}
