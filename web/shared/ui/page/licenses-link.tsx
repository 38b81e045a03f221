/** Leads to the licenses of what the pages are made of, which the build puts beside them. */
export function LicensesLink({ href = './licenses.txt' }: { readonly href?: string }) {
  return <a href={href}>Open-source licenses</a>;
}
