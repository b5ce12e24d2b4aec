import type { EndpointName } from '../paths.ts';

type Modules = typeof import('../access/auth.ts') &
  typeof import('../access/connections.ts') &
  typeof import('../access/security.ts') &
  typeof import('../access/settings.ts') &
  typeof import('../enrich/ai.ts') &
  typeof import('../enrich/rules.ts') &
  typeof import('../enrich/sources.ts') &
  typeof import('../suppliers/feeds.ts') &
  typeof import('../folders/folders.ts') &
  typeof import('../imports/find.ts') &
  typeof import('../imports/history.ts') &
  typeof import('../imports/imports.ts') &
  typeof import('../imports/report.ts') &
  typeof import('../operate/audit.ts') &
  typeof import('../operate/backups.ts') &
  typeof import('../operate/conditions.ts') &
  typeof import('../operate/dashboard.ts') &
  typeof import('../operate/dead-work.ts') &
  typeof import('../operate/health.ts') &
  typeof import('../operate/system.ts') &
  typeof import('../operate/work.ts') &
  typeof import('../push/batch-push.ts') &
  typeof import('../push/gone.ts') &
  typeof import('../push/plan.ts') &
  typeof import('../push/push-undo.ts') &
  typeof import('../push/readiness.ts') &
  typeof import('../push/store.ts') &
  typeof import('../reading/dialect.ts') &
  typeof import('../reading/mapping.ts') &
  typeof import('../reading/reread-preview.ts') &
  typeof import('../reading/tables.ts') &
  typeof import('../reading/upload.ts') &
  typeof import('../reading/values-sample.ts') &
  typeof import('../review/commands.ts') &
  typeof import('../review/corrections.ts') &
  typeof import('../review/edit-history.ts') &
  typeof import('../review/field-values.ts') &
  typeof import('../review/pictures.ts') &
  typeof import('../review/proposals.ts') &
  typeof import('../review/recipes.ts') &
  typeof import('../review/rows.ts') &
  typeof import('../scanner/scanner.ts') &
  typeof import('../suppliers/supplier-page.ts') &
  typeof import('../suppliers/suppliers.ts');

export type RouteOf<N extends EndpointName> = Modules[N];
