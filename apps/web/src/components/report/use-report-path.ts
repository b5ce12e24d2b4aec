import { useLocation, useNavigate } from 'react-router';
import { importPath, queuePath } from '../../lib/paths.ts';

/** Returns a function that makes the path of an import's report: over the queue, or over the import's own page. */
export function useReportPath(): (id: string) => string {
  const { pathname, search } = useLocation();
  return (id) => {
    const isHere = pathname === queuePath || pathname === importPath(id);
    const address = new URLSearchParams(isHere ? search : '');
    address.set('report', id);
    return `${isHere ? pathname : queuePath}?${address}`;
  };
}

/** Returns a function that opens the report of an import. */
export function useOpenReport(id: string): () => void {
  const reportPath = useReportPath();
  const navigate = useNavigate();
  return () => void navigate(reportPath(id), { preventScrollReset: true });
}
