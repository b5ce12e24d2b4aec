/** The path of one import's page. */
export function importPath(id: string): string {
  return `/queue/${encodeURIComponent(id)}`;
}

export const connectionsPath = '/settings?tab=connections';
export const queuePath = '/queue';
export const historyPath = '/history';
