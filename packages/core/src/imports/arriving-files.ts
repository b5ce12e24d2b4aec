import type { FolderKind } from '@draftshelf/domain/folders/folders';
import type { ImportEvent } from '@draftshelf/domain/imports/activity';
import type { Db } from '../connection/database.ts';
import { queryRow } from '../connection/query-rows.ts';

/** Up to this many files of a folder that arrive together have a line each in the activity; more are summed up. */
export const fewFiles = 5;

/** Events of imports that are summed up. An event that needs a person has a line with its cause. */
const summedEvents: readonly ImportEvent[] = ['begun', 'processed', 'push begun', 'pushed'];

export const isSummedUp = (event: ImportEvent): boolean => summedEvents.includes(event);

/** Counts files of a folder that arrive together: imports not summed up in the activity, and files not read yet. */
export const countArriving = (db: Db, folder: FolderKind) =>
  queryRow<{ imports: number; waiting: number }>(db)`
    select (select count(*)::int from imports where source = ${folder} and source <> 'upload' and not summarized)
        as imports,
      (select count(*)::int from watched_files join watch_sources on watch_sources.id = watched_files.source
          and watch_sources.place_key = watched_files.place_key
        where watch_sources.kind = ${folder}
          and watched_files.state in ('settling', 'waiting')) as waiting`;
