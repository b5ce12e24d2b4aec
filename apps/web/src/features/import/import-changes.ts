import type { JobWithRows as ShownDetails } from '@draftshelf/contract/imports/imports';
import type { EndpointName } from '@draftshelf/contract/paths';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import { readsOfEdits } from '../../api/stale-reads.ts';

/** `ended`: commands of this tab that ended since `before`, even if no poll saw them run. */
export function changesBetween(
  before: ShownDetails,
  now: ShownDetails,
  ended: readonly string[] = [],
): readonly EndpointName[] {
  const hasChanged = (part: (details: ShownDetails) => string) => part(before) !== part(now);
  const stale = new Set<EndpointName>();
  const add = (...reads: EndpointName[]) => {
    for (const read of reads) stale.add(read);
  };
  if (hasChanged(stageOf) || hasChanged(rulesOf)) {
    add('listRows', 'getMapping', 'getPlan', 'listTables', 'getReport');
  }
  if (hasChanged(commandsOf) || ended.length > 0) {
    add('listRows', 'getMapping', ...readsOfEdits);
  }
  if (before.enrichment !== undefined && hasChanged(lookUpsOf)) add('listRows');
  if (hasNewProposals(before, now)) add('listProposals');
  return [...stale];
}

/** Changes when an import enters or leaves a stage. */
const stageOf = ({ status, startedAt, completedAt }: ShownDetails) =>
  [status, startedAt, completedAt].join(' ');

const rulesOf = ({ tasks }: ShownDetails) =>
  String(tasks.some(({ label, state }) => label === taskLabel('apply-rules') && state !== 'failed'));

const commandsOf = ({ tasks }: ShownDetails) => tasks.flatMap(({ command }) => command ?? []).join(' ');

/** Changes when look-ups found something or ended: the rows name the sources that are still asked. */
const lookUpsOf = ({ enrichment }: ShownDetails) =>
  [
    ...(enrichment?.coverage ?? []).map(({ found }) => found),
    ...(enrichment?.waiting ?? []).map(({ source }) => source),
  ].join(' ');

/** Deciding the newest proposal makes the highest id smaller. */
const hasNewProposals = (before: ShownDetails, now: ShownDetails): boolean =>
  now.proposals > before.proposals || (now.newestProposal ?? 0) > (before.newestProposal ?? 0);
