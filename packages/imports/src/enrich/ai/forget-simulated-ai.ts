import type { Db } from '@draftshelf/database/connection/database';
import { changeAiService, nextVersion } from '@draftshelf/database/enrich/ai/service';
import { holdSources } from '@draftshelf/database/enrich/sources';
import { removeOpenProposalsWith } from '@draftshelf/database/review/proposals/proposals';
import { aiSource } from '@draftshelf/domain/enrich/sources';

/** Where proposals of the simulated AI service say that they come from. */
export const simulatedAi = 'Simulated AI service';

/** Removes the open proposals of the simulated AI service, because a real store or a real service is set. */
export async function forgetSimulatedAi(db: Db): Promise<void> {
  // Locks the sources first, like all that remove open proposals: another order could deadlock.
  await holdSources(db);
  // Answers that are being proposed hold the service's row: they are removed too, and none is proposed later.
  await changeAiService(db, nextVersion);
  await removeOpenProposalsWith(db, { source: aiSource, attribution: simulatedAi });
}
