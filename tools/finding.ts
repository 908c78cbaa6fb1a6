import type { Host } from '../load/k6/host.ts';
import { thisHost } from '../load/k6/host.ts';

/** Called with one line before each step that takes long. */
export type OnProgress = (line: string) => void;

/** Why a tool is not available. */
export interface MissingTool {
  readonly kind: 'missing';
  /** The attempts that failed, each as a clause for a person. */
  readonly tried: readonly string[];
  /** What to do, in one line. */
  readonly advice: string;
}

/** How to find a tool. */
export interface ToolSearch {
  readonly host: Host;
  /** Whether to install a tool that is not found; tests never do. */
  readonly install: boolean;
  readonly onProgress: OnProgress;
}

/** A search with defaults: on this machine, without installing, without progress output. */
export function toolSearch({
  host = thisHost(),
  install = false,
  onProgress = () => undefined,
}: Partial<ToolSearch>): ToolSearch {
  return { host, install, onProgress };
}
