import type { ImportReport } from '@draftshelf/contract/imports/report';
import { useState } from 'react';
import { useAddressParam } from '../../../ui/hooks/use-address-param.ts';
import { ReportDrawer } from './report-drawer.tsx';

type ReportInUrlProps = {
  /** Starts an action on the import. */
  onAction: (action: 'retry' | 'push', report: ImportReport) => void;
};

/** The report of the import that the URL names (`?report=`), over the screen. */
export function ReportInUrl({ onAction }: ReportInUrlProps) {
  const [id, setId] = useAddressParam('report');
  // While the drawer closes, its report stays.
  const [lastId, setLastId] = useState(id);
  if (id !== null && id !== lastId) setLastId(id);
  const close = () => setId(null);
  return (
    <ReportDrawer
      importId={lastId ?? ''}
      opened={id !== null}
      onClose={close}
      onAction={(action, report) => {
        onAction(action, report);
        close();
      }}
    />
  );
}
