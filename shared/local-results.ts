/** The address of a job's n-th result, at the origin of the client's page. */
export const resultUrl = (jobId: string, n: number): string => `/local/results/${jobId}/${n}`

/** Which result an address of the client's names; undefined for any other address. */
export function resultAt(url: string): { readonly jobId: string; readonly output: number } | undefined {
  const [, jobId, output] = /^(?:app:\/\/qingtu)?\/local\/results\/([^/?]+)\/(\d+)$/.exec(url) ?? []
  return jobId === undefined ? undefined : { jobId: decodeURIComponent(jobId), output: Number(output) }
}
