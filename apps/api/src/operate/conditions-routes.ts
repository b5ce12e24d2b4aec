import { listConditions } from '@draftshelf/contract/operate/conditions';
import { type Api, serve } from '../http/serve.ts';
import { sharedReply } from '../http/shared-reply.ts';
import type { ConditionWatch } from './watch-conditions.ts';

export function serveConditions(api: Api, { conditions: watch }: { conditions: ConditionWatch }): void {
  const list = sharedReply(async () => ({ conditions: await watch.list(), ended: await watch.listEnded() }));
  serve(api, listConditions, list.body, { etag: list.version });
}
