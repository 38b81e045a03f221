/** Links to the licenses of the packages that are part of the pages. The build puts this file beside the pages. */
export function LicensesLink({ href = './licenses.txt' }: { readonly href?: string }) {
  return <a href={href}>Open-source licenses</a>;
}
