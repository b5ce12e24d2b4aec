import type { CommandTarget } from '@draftshelf/domain/review/operations/command-target';
import type { ImportRecord } from '../../connection/schema.ts';

/** Whether a target numbers rows of another reading of the file than the current one: its numbers mean other rows. */
export function isOfOtherRun({ rows_run }: Pick<ImportRecord, 'rows_run'>, target: CommandTarget): boolean {
  return 'rows' in target && target.run !== rows_run;
}
