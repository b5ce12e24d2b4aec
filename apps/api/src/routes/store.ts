import { testStore } from '@draftshelf/contract/store';
import { type Api, serve } from '../serve.ts';
import type { StoreConnection } from '../store-connection.ts';

/** The connection test of the job page. It replies 200 even if the store is down. */
export function serveStore(api: Api, { store }: { store: StoreConnection }): void {
  serve(api, testStore, async () => {
    const { ok, message } = await store.test();
    const status = ok ? ('success' as const) : ('error' as const);
    return { status, success: ok, message, connected: { status, message } };
  });
}
