/** Icons in the color of the surrounding text. They are decorative: the text says the same. */
const icon = (path: string, size: number) =>
  function Icon() {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        <path d={path} />
      </svg>
    )
  }

export const ChartIcon = icon('M4 20V11M10 20V5M16 20v-7M21 20H3', 18)
export const QuoteIcon = icon('M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h4', 18)
export const CalendarIcon = icon('M4 6h16v15H4zM4 10h16M8 3v4M16 3v4', 18)
export const CompanyIcon = icon('M4 21V5l9-2v18M13 9h7v12M3 21h18M7 8h2M7 12h2M7 16h2M16 13h1M16 17h1', 18)
export const PeopleIcon = icon(
  'M6 8a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M2.5 20c.5-4 3-6 7-6s6.5 2 7 6M16 5a3 3 0 0 1 0 6M18 14.5c2 .7 3 2.5 3.5 5.5',
  18,
)
export const KeyIcon = icon('M4 15a4 4 0 1 0 8 0a4 4 0 1 0-8 0M11 12 20 3M16 7l3 3', 18)
export const ClockIcon = icon('M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 7v5l3.5 2', 18)
export const ChevronIcon = icon('m6 9 6 6 6-6', 14)
export const CopyIcon = icon('M9 9h11v12H9zM5 15V3h11', 16)
export const CheckIcon = icon('m5 13 4 4L19 7', 16)
export const PlusIcon = icon('M12 5v14M5 12h14', 16)
export const TrashIcon = icon('M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14', 16)
export const SearchIcon = icon('M5 11a6 6 0 1 0 12 0a6 6 0 1 0-12 0M20 20l-4.5-4.5', 16)
export const LeftIcon = icon('m15 5-7 7 7 7', 16)
export const UpIcon = icon('m5 15 7-7 7 7', 16)
export const ContactsIcon = icon(
  'M6 3h14v18H6zM3 8h5M3 16h5M11 10a2 2 0 1 0 4 0a2 2 0 1 0-4 0M9.5 17c.4-2 1.6-3 3.5-3s3.1 1 3.5 3',
  18,
)
export const TagIcon = icon('M3 11V3h8l10 10-8 8zM7.5 7.5h.01', 18)
export const TeamIcon = icon('M3 7h11v10H3zM14 10h4l3 3v4h-7zM7 17a2 2 0 1 0 .01 0M17 17a2 2 0 1 0 .01 0', 18)
export const FormIcon = icon('M5 3h14v18H5zM8 8h8M8 12h8M8 16h4', 18)
export const RightIcon = icon('m9 5 7 7-7 7', 16)
/** At the end of a row that is a link. */
export const RowArrow = () => (
  <span className="app-row-arrow">
    <RightIcon />
  </span>
)
export const NewTabIcon = icon('M14 4h6v6M20 4l-9 9M18 14v6H4V6h6', 14)
export const PencilIcon = icon('m4 20 1-5L16 4l4 4L9 19zM14 6l4 4', 16)

/** The mark of the product. */
export const MarkIcon = () => (
  <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="7" fill="#0b6e69" />
    <path d="M9 8h14v16l-3.5-2-3.5 2-3.5-2L9 24z" fill="#fff" />
    <path d="M12 13h8M12 17h5" stroke="#0b6e69" strokeWidth="2" />
  </svg>
)

export const GripIcon = () => (
  <svg width="16" height="16" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" focusable="false">
    {[6, 12, 18].flatMap((y) => [9, 15].map((x) => <circle key={`${x} ${y}`} cx={x} cy={y} r="1.6" />))}
  </svg>
)

export const DotsIcon = () => (
  <svg width="16" height="16" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" focusable="false">
    <circle cx="5" cy="12" r="2" />
    <circle cx="12" cy="12" r="2" />
    <circle cx="19" cy="12" r="2" />
  </svg>
)
