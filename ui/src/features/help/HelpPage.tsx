import { useEffect, useRef, type ReactNode } from "react";

import { Markdown } from "../../components/markdown/Markdown";
import { OwnMarkdownContext, type OwnMarkdown } from "../../components/markdown/ownMarkdown";
import { scrollable } from "../../lib/scrollable";
import { useActions } from "../../state/hooks";
import { useIsDark } from "../../state/useIsDark";
import type { HelpPlace } from "../../state/view";
import styles from "./help.module.css";
import { linkTarget, pictureAddress, type Page, slugOf } from "./pages";
import { entryAbout } from "./search";

export interface HelpPageProps {
  readonly page: Page;
  /** Place to scroll to, again for each new object; `null` leaves the focus where it is. */
  readonly place: HelpPlace | null;
  readonly onGo: (page: string, slug: string | null) => void;
}

/** A page of the guide: its links lead to other pages; its pictures are bundled with the app. */
export function HelpPage({ page, place, onGo }: HelpPageProps): ReactNode {
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
