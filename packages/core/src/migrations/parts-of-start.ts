/**
 * Migrations whose changes are part of 0001-start. Their names stay, because databases and backups have them.
 */
export const partsOfStart: readonly string[] = [
  ...['0003-push', '0004-store-copy', '0005-dashboard', '0006-credentials-and-settings'],
  ...['0008-lookups', '0009-push-checks', '0010-source-keys', '0011-storable-text'],
  ...['0012-security-events', '0013-undo-records', '0014-proposal-commands', '0015-starts-and-waits'],
  ...['0016-uploads', '0018-price-answer', '0020-source-clock', '0021-scanned-products'],
  ...['0022-watched-folders', '0023-proposals-in-bulk', '0024-category-rules', '0025-ai-service'],
  ...['0026-asked-service', '0027-edit-sources', '0028-edit-authors', '0029-commands'],
  ...['0030-issue-consequences', '0033-retention', '0034-vacuum-settings', '0035-backups'],
  ...['0036-settle-row-search', '0037-conditions', '0039-dead-work', '0040-audits', '0041-push-plans'],
  ...['0042-push-choices', '0043-push-undos', '0044-earlier-file-and-disk', '0045-plan-pages'],
  ...['0046-left-out-rows-count-once', '0047-skipped-in-store', '0048-plan-facts'],
  ...['0049-lists-of-plans', '0050-expected-before', '0051-key-claims', '0052-undone-counts'],
  ...['0053-tasks', '0057-previews', '0058-suppliers', '0059-counted-lists', '0060-file-tables'],
  ...['0062-file-pictures', '0063-copied-commands', '0064-gone', '0065-recipes'],
  ...['0066-leaving-suppliers', '0067-corrections', '0068-acted-lists', '0069-pictures-notice'],
  ...['0070-row-texts', '0071-row-orders', '0073-kept-backups', '0074-guards', '0075-shared-titles'],
  ...['0076-left-rows'],
];
