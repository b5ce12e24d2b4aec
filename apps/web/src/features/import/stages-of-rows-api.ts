import type { QueryClient } from '@tanstack/react-query';

/** The stage in which the cached rows of each import were read. It outlives the page, as they do. */
const stagesOfRows = new WeakMap<QueryClient, Map<string, string>>();

/** Notes that an import is in this stage. Returns whether cached rows may be of another one. */
export function entersStage(client: QueryClient, id: string, stage: string): boolean {
  const stages = stagesOfRows.get(client) ?? new Map<string, string>();
  stagesOfRows.set(client, stages);
  const earlier = stages.get(id);
  stages.set(id, stage);
  return earlier !== undefined && earlier !== stage;
}
