export { UploadProvider, useUploadRun } from './upload-run.tsx';
