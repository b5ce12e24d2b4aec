import { type Audit, beginAudit, getAudit, keepNewestLink } from '@draftshelf/contract/operate/audit';
import type { AuditRecord } from '@draftshelf/core/connection/schema';
import * as stored from '@draftshelf/core/operate/audit/audits';
import { differenceSentence, remedyOf } from '@draftshelf/domain/operate/audit';
import type { ApiDatabases } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';

export function serveAudit(api: Api, { database: { db }, changes }: ApiDatabases): void {
  serve(api, getAudit, async () => {
    const { latest, isRunning } = await stored.readAudits(db);
    return { isRunning, latest: latest ? toAudit(latest) : null };
  });
  serve(api, beginAudit, async () => {
    await stored.beginAudit(changes.db);
    return { success: true as const, message: 'The audit begins within seconds.' };
  });
  serve(api, keepNewestLink, async ({ body }) => {
    const unlinked = await changes.db.transaction().execute((trx) => stored.keepNewestLink(trx, body));
    if (unlinked === null) {
      throw conflict('One of these products is being sent to the store. Try again in a minute.');
    }
    await stored.beginAudit(changes.db);
    return { success: true as const, message: `${unlinked} unlinked. The audit begins within seconds.` };
  });
}

const toAudit = ({ imports, products, listings, problem, ...audit }: AuditRecord): Audit['latest'] => ({
  ...{ imports, products, listings, problem, count: audit.difference_count },
  endedAt: (audit.ended_at ?? audit.started_at).toISOString(),
  differences: audit.differences.map((found) => ({
    sentence: differenceSentence(found),
    remedy: remedyOf(found),
    import: 'importId' in found ? { id: found.importId, filename: found.filename } : null,
    link: 'storeProductId' in found ? { shop: found.shop, storeProductId: found.storeProductId } : null,
  })),
});
