import { aiSource } from '@draftshelf/domain/enrich/sources';
import type { Db } from '../../connection/database.ts';
import { removeOpenProposalsWith } from '../../review/proposals/proposals.ts';
import { holdSources } from '../sources.ts';
import { changeAiService, nextVersion } from './service.ts';

export const simulatedAi = 'Simulated AI service';

/** Removes the open proposals of the simulated AI service, because a real store or a real service is set. */
export async function forgetSimulatedAi(db: Db): Promise<void> {
  // The sources are locked first, as everywhere before removing open proposals: another order could deadlock.
  await holdSources(db);
  // Answers that are being proposed hold the service's row: they are removed too, and none is proposed later.
  await changeAiService(db, nextVersion);
  await removeOpenProposalsWith(db, { source: aiSource, attribution: simulatedAi });
}
