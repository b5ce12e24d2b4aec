import { mapHeaders } from '@draftshelf/domain/reading/mapping/header-mapping';
import { fieldLabel } from './mapping-words.ts';

export function HeaderMatch({ header }: { header: string }) {
  const [column] = mapHeaders([header]).columns;
  if (!column || column.field === null) {
    return (
      <>
        No field matches this header. In a file with this column, its values may still show which field it is.
      </>
    );
  }
  const percent = Math.round(column.confidence * 100);
  return (
    <>
      <strong>{fieldLabel(column.field)}</strong>
      {`, ${percent} % sure: ${column.reason}`}
    </>
  );
}
