/** A link to the licenses of the packages in the pages. The build puts the file beside the pages. */
export function LicensesLink({ href = './licenses.txt' }: { readonly href?: string }) {
  return <a href={href}>Open-source licenses</a>;
}
