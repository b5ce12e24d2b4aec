import { Skeleton } from '@mantine/core';
import { later, overlay } from '../../../ui/later.tsx';
import type { MappingChoiceProps } from './mapping-choice.tsx';

export const LazyMappingEditor = overlay(() =>
  import('./mapping-editor.tsx').then((chunk) => chunk.MappingEditor),
);

const MappingChoice = later(() => import('./mapping-choice.tsx').then((chunk) => chunk.MappingChoice));

/** The choice below the chip that has opened it. */
export function LazyMappingChoice({ open, ...props }: MappingChoiceProps) {
  return open === null ? null : <MappingChoice open={open} {...props} />;
}

/** The four settings of a file's format. Mantine's Select adds 10 kB, so they load when they are drawn. */
export const DialectSelects = later(
  () => import('./dialect-fields.tsx').then((chunk) => chunk.DialectFields),
  <Skeleton height={54} />,
);
