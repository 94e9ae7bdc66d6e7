import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { pageWarnings } from "../lib/pages";
import { Address } from "./Address";

/** Shows the whole address of a page that a server wants to open, with its host in bold, and warnings about it. */
export function PageAddress({ address }: { readonly address: string }): ReactNode {
  return (
    <div className="stack gap4 shrink">
      <p className="box maxHeight160 scrolls pad8 breakable" tabIndex={0} role="group" aria-label="Address of the page">
        <Address address={address} written />
      </p>
      <PageWarnings address={address} />
    </div>
  );
}

/** Lists warnings about the address of a page, if there are any. */
export function PageWarnings({ address, plain }: { readonly address: string; readonly plain?: boolean }): ReactNode {
  return pageWarnings(address, plain).map((warning) => (
    <p key={warning} className="warn small strong">
      <TriangleAlert size={13} className="marginRight4 lowered" role="img" aria-label="Warning" />
      {warning}
    </p>
  ));
}
