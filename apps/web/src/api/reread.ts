import { changeDialect, type DialectChoice } from '@draftshelf/contract/reading/dialect';
import { changeMapping, listMappings, type MappingChanges } from '@draftshelf/contract/reading/mapping';
import { route } from '@draftshelf/contract/route';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { call } from './call.ts';
import { refreshImport } from './imports.ts';
import { readKey } from './read.ts';

/** An operator's change to the reading of a file: its dialect or its mapping. */
export type RereadChange = { dialect: DialectChoice } | { mapping: MappingChanges };

/** The part of an action's reply that screens use. */
const Started = z.object({ success: z.literal(true), message: z.string() });
const startDialect = route({ ...changeDialect, reply: Started });
const startMapping = route({ ...changeMapping, reply: Started });

/** Re-reads the stored file of an import. What is remembered of mappings changes with it. */
export function useReread(importId: string) {
  const client = useQueryClient();
  const params = { id: importId };
  return useMutation({
    mutationFn: (change: RereadChange) =>
      'dialect' in change
        ? call(startDialect, { params, body: change.dialect })
        : call(startMapping, { params, body: change.mapping }),
    onSettled: () =>
      Promise.all([
        refreshImport(client, importId),
        client.invalidateQueries({ queryKey: readKey(listMappings.path) }),
      ]),
  });
}
