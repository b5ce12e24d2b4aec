import { type InlineField, inlineFields } from '@draftshelf/domain/base/field-look';

/** A column of the file by its header: what its cells hold, as in the file. */
export type FileColumn = `cell:${string}`;

/** A column of the rows' table that can be chosen. */
export type ShownColumn = 'image' | InlineField | 'outcome' | FileColumn;

/** Those of every import, in their usual order. */
export const shownColumns: readonly ShownColumn[] = ['image', ...inlineFields, 'outcome'];

export const fileColumn = (header: string): FileColumn => `cell:${header}`;
export const isFileColumn = (name: string): name is FileColumn => name.startsWith('cell:');
export const headerOf = (column: FileColumn): string => column.slice('cell:'.length);

/** The width that a column may have, in rem. */
export const remRange = { min: 4, max: 60 } as const;
