import type { Db } from '../../connection/database.ts';
import { removeWantedAsks } from './ai-asks.ts';
import { endAsking } from './ai-imports.ts';
import { lockAiService } from './service.ts';

/**
 * Ends the asking of an import before all was asked, and takes its queued products off the list. `reason`: why, as a
 * sentence. The caller has locked the import. The service is locked next and then what is asked, like everywhere:
 * another order could deadlock.
 */
export async function abandonAsking(db: Db, importId: string, reason: string): Promise<void> {
  await lockAiService(db);
  await endAsking(db, importId, reason);
  await removeWantedAsks(db, importId);
}
