import { type InlineField, inlineFields } from '@draftshelf/domain/base/field-look';

/** The columns of the rows' table that can be chosen, in their usual order. */
export type ShownColumn = 'image' | InlineField | 'outcome';
export const shownColumns: readonly ShownColumn[] = ['image', ...inlineFields, 'outcome'];

/** The width that a column may have, in rem. */
export const remRange = { min: 4, max: 60 } as const;
