import { RevisionRows } from "../../components/rows/revisionRows";
import type { Backend } from "../../ipc/backend";
import type { HostFilter, HostRow, ServerId } from "../../ipc/bindings";

/** Tools of one server with their verdicts by host, as shown. Its version changes whenever the verdicts may change. */
export class HostSession extends RevisionRows<HostRow, HostFilter> {
  constructor(backend: Backend, server: ServerId) {
    super((revision, filter, from, count) => backend.call("host_rows", { server, revision, filter, from, count }), {
      hosts: [],
      problems: false,
      search: "",
    });
  }
}
