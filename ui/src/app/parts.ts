import { later } from "./later";

export const PromptsPane = later(async () => (await import("../features/prompts/PromptsPane")).PromptsPane);
export const SkillsPane = later(async () => (await import("../features/skills/SkillsPane")).SkillsPane);
export const TasksPane = later(async () => (await import("../features/tasks/TasksPane")).TasksPane);
export const HostsPane = later(async () => (await import("../features/hosts/HostsPane")).HostsPane);
export const IssuesPane = later(async () => (await import("../features/issues/IssuesPane")).IssuesPane);
export const WirePane = later(async () => (await import("../features/wire/WirePane")).WirePane);
export const ConsolePane = later(async () => (await import("../features/wire/ConsolePane")).ConsolePane);
export const RawRequestPane = later(async () => (await import("../features/rawRequest/RawRequestPane")).RawRequestPane);
export const ConnectionPane = later(async () => (await import("../features/connection/ConnectionPane")).ConnectionPane);
export const AuthPane = later(async () => (await import("../features/auth/AuthPane")).AuthPane);
export const AboutPane = later(async () => (await import("../features/about/AboutPane")).AboutPane);
export const ServerForm = later(async () => (await import("../features/servers/ServerForm")).ServerForm);
export const ImportPanel = later(async () => (await import("../features/servers/ImportPanel")).ImportPanel);
export const ExportPanel = later(async () => (await import("../features/servers/ExportPanel")).ExportPanel);
export const DiagnosisPanel = later(async () => (await import("../features/diagnosis/DiagnosisPanel")).DiagnosisPanel);
export const SettingsPanel = later(async () => (await import("../features/settings/SettingsPanel")).SettingsPanel);
export const ComparePanel = later(async () => (await import("../features/runs/compare/ComparePanel")).ComparePanel);
export const GivePresentation = later(
  async () => (await import("../features/presentation/give/GivePresentation")).GivePresentation,
);
export const PresentationsPanel = later(
  async () => (await import("../features/presentation/prepare/PresentationsPanel")).PresentationsPanel,
);
export const PresentationEditor = later(
  async () => (await import("../features/presentation/prepare/PresentationEditor")).PresentationEditor,
);
/** Has the whole guide in it. */
export const HelpPanel = later(async () => (await import("../features/help/HelpPanel")).HelpPanel, false);
