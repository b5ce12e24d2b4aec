import type { ConfiguredSource } from '@draftshelf/database/enrich/sources';
import type { Source } from '@draftshelf/sources/ask-source';

/** A source as the database stores it at the first start; those named in `on` are switched on. */
export function configuredOf({ name, baseUrl, windows }: Source, on: readonly string[]): ConfiguredSource {
  return {
    name,
    base_url: baseUrl,
    enabled: on.includes(name),
    per_window: windows.perWindow,
    window_ms: windows.windowMs,
    per_day: windows.perDay,
    day_ms: windows.dayMs,
  };
}

/** Whether a store's address is a real one; undefined: there is no store. The simulated store is on this machine or in a neighboring container. */
export function isRealStore(url: string | undefined): boolean {
  if (url === undefined) return false;
  const { hostname } = new URL(url);
  return hostname.includes('.') && hostname !== '127.0.0.1';
}
