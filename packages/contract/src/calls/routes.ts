import type * as auth from '../access/auth.ts';
import type * as connections from '../access/connections.ts';
import type * as preferences from '../access/preferences.ts';
import type * as security from '../access/security.ts';
import type * as settings from '../access/settings.ts';
import type * as ai from '../enrich/ai.ts';
import type * as rules from '../enrich/rules.ts';
import type * as sources from '../enrich/sources.ts';
import type * as folders from '../folders/folders.ts';
import type * as find from '../imports/find.ts';
import type * as history from '../imports/history.ts';
import type * as imports from '../imports/imports.ts';
import type * as report from '../imports/report.ts';
import type * as audit from '../operate/audit.ts';
import type * as backups from '../operate/backups.ts';
import type * as conditions from '../operate/conditions.ts';
import type * as dashboard from '../operate/dashboard.ts';
import type * as deadWork from '../operate/dead-work.ts';
import type * as health from '../operate/health.ts';
import type * as system from '../operate/system.ts';
import type * as work from '../operate/work.ts';
import type { EndpointName } from '../paths.ts';
import type * as batchPush from '../push/batch-push.ts';
import type * as gone from '../push/gone.ts';
import type * as plan from '../push/plan.ts';
import type * as pushChoices from '../push/push-choices.ts';
import type * as pushUndo from '../push/push-undo.ts';
import type * as store from '../push/store.ts';
import type * as dialect from '../reading/dialect.ts';
import type * as mapping from '../reading/mapping.ts';
import type * as rereadPreview from '../reading/reread-preview.ts';
import type * as tables from '../reading/tables.ts';
import type * as upload from '../reading/upload.ts';
import type * as valuesSample from '../reading/values-sample.ts';
import type * as commands from '../review/commands.ts';
import type * as corrections from '../review/corrections.ts';
import type * as editHistory from '../review/edit-history.ts';
import type * as fieldValues from '../review/field-values.ts';
import type * as pictures from '../review/pictures.ts';
import type * as proposals from '../review/proposals.ts';
import type * as recipes from '../review/recipes.ts';
import type * as rows from '../review/rows.ts';
import type * as lookUp from '../scanner/look-up.ts';
import type * as scanner from '../scanner/scanner.ts';
import type * as supplierPage from '../suppliers/supplier-page.ts';
import type * as suppliers from '../suppliers/suppliers.ts';

type Modules = typeof auth &
  typeof connections &
  typeof preferences &
  typeof security &
  typeof settings &
  typeof ai &
  typeof rules &
  typeof sources &
  typeof folders &
  typeof find &
  typeof history &
  typeof imports &
  typeof report &
  typeof audit &
  typeof backups &
  typeof conditions &
  typeof dashboard &
  typeof deadWork &
  typeof health &
  typeof system &
  typeof work &
  typeof batchPush &
  typeof plan &
  typeof pushChoices &
  typeof pushUndo &
  typeof gone &
  typeof store &
  typeof dialect &
  typeof mapping &
  typeof rereadPreview &
  typeof tables &
  typeof upload &
  typeof valuesSample &
  typeof commands &
  typeof corrections &
  typeof editHistory &
  typeof fieldValues &
  typeof pictures &
  typeof proposals &
  typeof recipes &
  typeof rows &
  typeof lookUp &
  typeof scanner &
  typeof suppliers &
  typeof supplierPage;

export type RouteOf<N extends EndpointName> = Modules[N];
