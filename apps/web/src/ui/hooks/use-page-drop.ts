import { useState } from 'react';
import { useListener } from './use-listener.ts';

/** Also keeps the browser from opening a dropped file. Returns whether files are dragged over the page. */
export function usePageDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const onDragOver = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(true);
  };
  useListener('window', 'dragenter', onDragOver);
  useListener('window', 'dragover', onDragOver);
  useListener('window', 'dragleave', ({ relatedTarget }) => {
    // Moving from one element to another is no leaving.
    if (relatedTarget === null) setOver(false);
  });
  useListener('window', 'drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) onFiles(files);
  });
  return over;
}

/** Not text or a link. Some browsers list no types until the drop. */
function hasFiles({ dataTransfer }: DragEvent): boolean {
  const types = dataTransfer?.types ?? [];
  return types.length === 0 || types.includes('Files');
}
