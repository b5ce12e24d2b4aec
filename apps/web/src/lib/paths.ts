export const importPath = (id: string): string => `/queue/${encodeURIComponent(id)}`;

export const needsYouRowsPath = (id: string): string => `${importPath(id)}?class=needs-you`;

export const issueRowsPath = (id: string, issue: string): string =>
  `${importPath(id)}?issue=${encodeURIComponent(issue)}`;

/** The path of the rows whose products got this outcome in the import's last push. */
export const outcomeRowsPath = (id: string, outcome: string): string =>
  `${importPath(id)}?outcome=${encodeURIComponent(outcome)}`;

/** The path of an import's rows with a `change`: a difference from the supplier's earlier list, or 'carried'. */
export const changeRowsPath = (id: string, change: string): string =>
  `${importPath(id)}?change=${encodeURIComponent(change)}`;

/** The path of an import's rows with a `value` of a field, in the notation of `formatFieldValue`. */
export const valueRowsPath = (id: string, value: string): string =>
  `${importPath(id)}?value=${encodeURIComponent(value)}`;

/** The status shown for a processed import that needs an answer before its push. */
export const awaitingAnswerStatus = 'asking';

/** Returns the status by which the queue filters an import. */
export const toFilterStatus = (status: string, isAsking: boolean): string =>
  status === 'processed' && isAsking ? awaitingAnswerStatus : status;

export const queueStatusPath = (status: string): string =>
  `${queuePath}?status=${encodeURIComponent(status)}`;

export const scannedPath = (id: string): string => `/scanner?product=${encodeURIComponent(id)}`;

/** Parameter that opens the undo of an import's push. */
export const undoParam = 'undo';

/** Parameter that opens a section of an import's details. */
export const detailsParam = 'details';

/** Parameter with the source whose proposals an import's page shows. */
export const proposalSourceParam = 'proposals';

export const sourceProposalsPath = (id: string, source: string): string =>
  `${importPath(id)}?${detailsParam}=proposals&${proposalSourceParam}=${encodeURIComponent(source)}`;

export const undoPath = (id: string): string => `${importPath(id)}?${undoParam}=push`;

export const suppliersPath = '/suppliers';

export const supplierPath = (id: number): string => `${suppliersPath}/${id}`;

/** Parameter with the id of the corrections file to open, or 'new' to open the form for another file. */
export const correctionsParam = 'corrections';

export const correctionsPath = (importId: string, corrections: string): string =>
  `${importPath(importId)}?${correctionsParam}=${encodeURIComponent(corrections)}`;

export const connectionsPath = '/settings?tab=connections';
export const oneDrivePath = '/settings?tab=onedrive';
export const storePath = '/shopify';
export const queuePath = '/queue';
export const historyPath = '/history';

/** The path of the imports that ended on the day of `time`, in the browser's time zone. */
export function historyDayPath(time: number): string {
  const day = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${historyPath}?date=${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** Returns the address bar's parameters, which may be newer than those that the screen was drawn with. */
export const readCurrentParams = (): URLSearchParams => new URLSearchParams(location.search);
