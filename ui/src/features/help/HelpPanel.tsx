import { ArrowLeft } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Found } from "../../components/Found";
import { Markdown } from "../../components/markdown/Markdown";
import { OwnMarkdownContext, type OwnMarkdown } from "../../components/markdown/ownMarkdown";
import { PanelFrame } from "../../components/Panel";
import { SearchField } from "../../components/SearchField";
import { cx } from "../../lib/cx";
import { count } from "../../lib/format";
import { scrollable } from "../../lib/scrollable";
import { stepByKey } from "../../lib/stepByKey";
import { useActions, useIsDark } from "../../state/hooks";
import type { HelpPlace } from "../../state/view";
import styles from "./help.module.css";
import { groups, INDEX, linkTarget, pages, pictureAddress, sections, slugOf, type Page, type Section } from "./pages";
import { entryAbout, leftOutOf, searchSections, type Hit } from "./search";

export interface HelpPanelProps {
  /** The name of a page. */
  readonly page: string;
  readonly at: HelpPlace | null;
}

/** Guide: its pages, the search, and the open page. */
export function HelpPanel({ page: name, at }: HelpPanelProps): ReactNode {
  const actions = useActions();
  const search = useRef<HTMLInputElement>(null);
  const side = useRef<HTMLDivElement>(null);
  const [text, setText] = useState("");
  const [back, setBack] = useState<readonly HelpPanelProps[]>([]);
  const page = pages.get(name);
  const hits = searchSections(sections, text);
  const leftOut = leftOutOf(sections, text);

  // With a place, the focus moves there; without one, to the search.
  const first = useRef(at === null);
  useEffect(() => {
    if (first.current) search.current?.focus();
  }, []);

  const go = (to: string, slug: string | null): void => {
    setBack([...back, { page: name, at }]);
    actions.openHelp(to, { type: "heading", slug: slug ?? "" });
  };
  const goBack = (): void => {
    const last = back.at(-1);
    if (!last) return;
    setBack(back.slice(0, -1));
    actions.openHelp(last.page, last.at ?? { type: "heading", slug: "" });
  };

  return (
    <PanelFrame
      title="Help"
      buttons={
        <Button small kind="quiet" icon={ArrowLeft} disabled={back.length === 0} onClick={goBack}>
          Back
        </Button>
      }
    >
      <div className={styles.columns}>
        <div ref={side} className={styles.side}>
          <div className="rigid lineBelow pad8" role="search">
            <SearchField
              label="Search the help"
              value={text}
              inputRef={search}
              hits={text.trim() === "" ? undefined : count(hits.length, "result", "results")}
              onChange={setText}
              onKeyDown={(event) => {
                const [best] = hits;
                if (event.key === "Enter" && best) go(best.section.page, best.section.slug);
                if (event.key !== "ArrowDown") return;
                event.preventDefault();
                side.current?.querySelector<HTMLElement>("ul button")?.focus();
              }}
            />
          </div>
          {text.trim() === "" ? (
            <PageList shown={name} onChoose={(to) => go(to, null)} />
          ) : (
            <>
              {hits.length > 0 && leftOut.length > 0 && (
                <p role="status" className="pad16 muted">
                  Without: {leftOut.join(", ")}
                </p>
              )}
              <Results hits={hits} text={text} onChoose={({ page: to, slug }) => go(to, slug)} />
            </>
          )}
        </div>
        {page ? (
          <HelpPage key={name} page={page} place={at} onGo={go} />
        ) : (
          <div className={styles.missing}>
            <Callout
              level="info"
              title="There is no such page."
              actions={
                <Button small onClick={() => go(INDEX, null)}>
                  Show all pages
                </Button>
              }
            />
          </div>
        )}
      </div>
    </PanelFrame>
  );
}

function PageList({ shown, onChoose }: { readonly shown: string; readonly onChoose: (page: string) => void }) {
  return (
    <nav className="fit scrolls pad8" aria-label="Pages" data-scroll="Help pages">
      <Row current={shown === INDEX} onClick={() => onChoose(INDEX)}>
        All pages
      </Row>
      {groups.map((group) => (
        <div key={group.title}>
          <h2 className={styles.group}>{group.title}</h2>
          <ul className="noBullets">
            {group.pages.map((page) => (
              <li key={page.name}>
                <Row current={shown === page.name} onClick={() => onChoose(page.name)}>
                  {page.title}
                </Row>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface RowProps {
  readonly current: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Row({ current, onClick, children }: RowProps) {
  return (
    <button
      type="button"
      className={cx(styles.row, current && styles.current)}
      aria-current={current ? "page" : undefined}
      data-focus="inset"
      onClick={onClick}
    >
      {children}
    </button>
  );
}

interface ResultsProps {
  readonly hits: readonly Hit[];
  readonly text: string;
  readonly onChoose: (section: Section) => void;
}

function Results({ hits, text, onChoose }: ResultsProps) {
  if (hits.length === 0) return <p className="pad16 muted">Nothing in the help matches “{text.trim()}”.</p>;
  return (
    <ul className="fit scrolls pad8 noBullets" aria-label="Results" onKeyDown={stepByKey}>
      {hits.map(({ section, snippet, marks }) => (
        <li key={`${section.page} ${section.slug}`}>
          <button type="button" className={styles.hit} data-focus="inset" onClick={() => onChoose(section)}>
            <Where section={section} marks={marks} />
            {snippet !== "" && (
              <span className="note block">
                <Found text={snippet} words={marks} />
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Page and section of a hit; only the page if the hit is its title. */
function Where({ section, marks }: { readonly section: Section; readonly marks: readonly string[] }) {
  const page = pages.get(section.page);
  const heading = <Found text={section.heading} words={marks} />;
  if (!page || page.sections[0] === section) return <span className="block strong">{heading}</span>;
  return (
    <span className="block strong">
      <span className="note regular">{page.title} › </span>
      {heading}
    </span>
  );
}

interface HelpPageProps {
  readonly page: Page;
  /** Place to scroll to, again for each new object; `null` leaves the focus where it is. */
  readonly place: HelpPlace | null;
  readonly onGo: (page: string, slug: string | null) => void;
}

/** A page of the guide: its links lead to other pages; its pictures are bundled with the app. */
function HelpPage({ page, place, onGo }: HelpPageProps): ReactNode {
  const { askToOpen } = useActions();
  const wanted = place === null ? null : slugIn(page, place);
  const own: OwnMarkdown = {
    link: (url, children) => {
      const target = linkTarget(url, page.name);
      if (!target) return children;
      return (
        <button
          type="button"
          className="linkButton"
          onClick={() => (target.page === null ? askToOpen(target.url, "guide") : onGo(target.page, target.slug))}
        >
          {children}
        </button>
      );
    },
    picture: (source, description) => <Picture source={source} description={description} />,
    heading: (level, text, children) => (
      <Heading level={level} place={slugOf(text) === wanted ? place : null}>
        {children}
      </Heading>
    ),
  };
  return (
    <div className="positioned flat scrolls" data-scroll={`Help ${page.name}`} {...scrollable(page.title, "region")}>
      <article className={styles.text}>
        <OwnMarkdownContext value={own}>
          <Markdown text={page.text} />
        </OwnMarkdownContext>
      </article>
    </div>
  );
}

/** Finds the heading of a place: the title of the page if the place has no heading. */
function slugIn({ sections }: Page, place: HelpPlace): string | null {
  const slug = place.type === "heading" ? place.slug : entryAbout(sections, place)?.slug;
  return slug || (sections[0]?.slug ?? null);
}

/** Heading levels below the title of the panel. */
const TAGS = ["h2", "h3", "h4", "h5"] as const;

interface HeadingProps {
  readonly level: number;
  /** Place that the reader goes to, if it is this heading; otherwise `null`. */
  readonly place: HelpPlace | null;
  readonly children: ReactNode;
}

function Heading({ level, place, children }: HeadingProps) {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (place === null) return;
    element.current?.scrollIntoView({ block: "start" });
    element.current?.focus({ preventScroll: true });
  }, [place]);
  const Tag = TAGS[level - 1] ?? "h6";
  return (
    <Tag ref={element} tabIndex={-1} className={styles.heading} data-level={level}>
      {children}
    </Tag>
  );
}

/** A picture in the current theme. Space is reserved for it while it loads. */
function Picture({ source, description }: { readonly source: string; readonly description: string }) {
  const address = pictureAddress(source, useIsDark());
  if (address === undefined) return <span className="muted italic">{description}</span>;
  return <img className="box wide block autoHeight" src={address} alt={description} width={1280} height={800} />;
}
