/** An email address that breaks before its host, where it has to break. Other text stays as it is. */
export function EmailText({ text }: { text: string }) {
  const at = text.lastIndexOf('@')
  if (at <= 0) return text
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  )
}
