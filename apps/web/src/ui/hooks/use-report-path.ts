import { useLocation, useNavigate } from 'react-router';
import { historyPath, importPath, queuePath } from '../../lib/paths.ts';

/**
 * Returns a function that makes the path of an import's report. Queue and history show it with their filter and page,
 * an import's own page over its rows.
 */
export function useReportPath(): (id: string) => string {
  const { pathname, search } = useLocation();
  const showsReports = pathname === queuePath || pathname === historyPath;
  return (id) => {
    const isHere = showsReports || pathname === importPath(id);
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
