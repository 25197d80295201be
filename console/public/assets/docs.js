// The reference page at /docs: tabs of samples, and forms that send the requests they describe.
'use strict'
;(function () {
  const key = document.getElementById('api-key')

  // Samples: one language for the whole page.

  const groups = [...document.querySelectorAll('.samples')]

  function showLanguage(language) {
    for (const tab of document.querySelectorAll('[role=tab]')) {
      const isShown = tab.textContent === language
      tab.setAttribute('aria-selected', String(isShown))
      tab.tabIndex = isShown ? 0 : -1
    }
    for (const panel of document.querySelectorAll('.sample'))
      panel.hidden = panel.dataset.language !== language
  }

  function tabOf(panel) {
    const tab = document.createElement('button')
    tab.type = 'button'
    tab.id = `${panel.id}-tab`
    tab.textContent = panel.dataset.language
    tab.setAttribute('role', 'tab')
    tab.setAttribute('aria-controls', panel.id)
    tab.addEventListener('click', () => keepInPlace(tab, () => showLanguage(panel.dataset.language)))
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', tab.id)
    panel.querySelector('.sample-name').remove()
    return tab
  }

  // Samples above the tab get longer or shorter, too.
  function keepInPlace(element, change) {
    const before = element.getBoundingClientRect().top
    change()
    scrollBy({ top: element.getBoundingClientRect().top - before, behavior: 'instant' })
  }

  function moveAmongTabs(event) {
    const tabs = [...event.currentTarget.querySelectorAll('[role=tab]')]
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined || !tabs.includes(event.target)) return
    const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length]
    event.preventDefault()
    next.click()
    next.focus({ preventScroll: true })
  }

  function copyButtonOf(group) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    const say = (text) => {
      button.textContent = text
      setTimeout(() => (button.textContent = 'Copy'), 1500)
    }
    button.addEventListener('click', () => {
      const { textContent } = group.querySelector('.sample:not([hidden]) code')
      navigator.clipboard.writeText(textContent).then(
        () => say('Copied'),
        () => say('Not allowed'),
      )
    })
    return button
  }

  for (const group of groups) {
    const list = document.createElement('div')
    list.setAttribute('role', 'tablist')
    list.setAttribute('aria-label', group.dataset.label)
    list.className = 'tabs'
    list.append(...[...group.querySelectorAll('.sample')].map(tabOf))
    list.addEventListener('keydown', moveAmongTabs)
    const bar = document.createElement('div')
    bar.className = 'tabs'
    bar.append(list)
    // Browsers allow the clipboard on HTTPS and on this machine only.
    if (navigator.clipboard !== undefined) bar.append(copyButtonOf(group))
    group.prepend(bar)
  }
  showLanguage('curl')

  // Forms.

  function readRequest(form) {
    const query = new URLSearchParams()
    const headers = { 'x-api-key': key.value.trim() }
    let path = form.dataset.path
    let body
    for (const control of form.querySelectorAll('[data-in]')) {
      const { name, value } = control
      if (value === '') continue
      if (control.dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
      else if (control.dataset.in === 'query') query.append(name, value)
      else if (control.dataset.in === 'header') headers[name] = value
      else {
        body = value
        headers['content-type'] = 'application/json'
      }
    }
    const search = query.size === 0 ? '' : `?${query}`
    return { url: path + search, options: { method: form.dataset.method, headers, body } }
  }

  function findMissing(form) {
    const controls = [key, ...form.querySelectorAll('[required]')]
    for (const control of controls) control.toggleAttribute('aria-invalid', false)
    const missing = controls.filter((control) => control.value.trim() === '')
    for (const control of missing) control.setAttribute('aria-invalid', 'true')
    return missing
  }

  function nameOf(control) {
    return document.querySelector(`label[for="${control.id}"]`).textContent
  }

  function textElement(tag, text, className = '') {
    const element = document.createElement(tag)
    element.textContent = text
    element.className = className
    return element
  }

  function show(form, isGood, parts, body) {
    const result = form.querySelector('.result')
    const outcome = textElement('p', '', isGood ? 'outcome' : 'outcome bad')
    const [first, ...others] = parts
    outcome.append(textElement('strong', first), ...others.map((part) => textElement('span', part, 'note')))
    result.replaceChildren(outcome)
    result.hidden = false
    if (body === undefined) return
    const block = textElement('pre', '', 'block')
    block.tabIndex = 0
    block.setAttribute('role', 'region')
    block.setAttribute('aria-label', `Response: ${form.closest('article').querySelector('h3').textContent}`)
    const code = document.createElement('code')
    code.append(...nodesOf(body))
    block.append(code)
    result.append(block)
  }

  const TOKENS = /"(?:[^"\\]|\\.)*"(:?)|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g
  // Longer ones take too long to color.
  const COLORED_MAX = 300_000

  function nodesOf(text) {
    let json
    try {
      json = JSON.stringify(JSON.parse(text), null, 2)
    } catch {
      return [text]
    }
    if (json.length > COLORED_MAX) return [json]
    const nodes = []
    let at = 0
    for (const { 0: token, 1: colon, index } of json.matchAll(TOKENS)) {
      const isText = token.startsWith('"')
      const kind = !isText ? 'value' : colon === ':' ? 'name' : 'string'
      nodes.push(
        json.slice(at, index),
        textElement('span', colon ? token.slice(0, -1) : token, kind),
        colon ?? '',
      )
      at = index + token.length
    }
    return [...nodes, json.slice(at)]
  }

  async function send(form) {
    const missing = findMissing(form)
    if (missing.length > 0) {
      show(form, false, [`Missing: ${missing.map(nameOf).join(', ')}`])
      missing[0].focus()
      return
    }
    const { url, options } = readRequest(form)
    const button = form.querySelector('[type=submit]')
    button.disabled = true
    const start = performance.now()
    try {
      const response = await fetch(url, options)
      const text = await response.text()
      const duration = `${Math.round(performance.now() - start)} ms`
      const headers = ['x-cursor', 'x-request-id']
        .filter((name) => response.headers.has(name))
        .map((name) => `${name}: ${response.headers.get(name)}`)
      const status = `${response.status} ${response.statusText}`.trim()
      show(form, response.ok, [status, `${options.method} /${url}`, duration, ...headers], text)
    } catch {
      show(form, false, ['No response. Check that the server is running, then try again.'])
    } finally {
      button.disabled = false
    }
  }

  for (const form of document.querySelectorAll('form.try')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void send(form)
    })
    form.querySelector('[data-fill]')?.addEventListener('click', () => {
      for (const control of form.querySelectorAll('[data-example]')) control.value = control.dataset.example
    })
  }

  // The contents are folded on a phone, and after a link in them was used.

  const contents = document.querySelector('.contents details')
  const isNarrow = matchMedia('(max-width: 56rem)')
  const fold = () => (contents.open = !isNarrow.matches)
  isNarrow.addEventListener('change', fold)
  contents.addEventListener('click', ({ target }) => {
    if (target.closest('a') !== null) fold()
  })
  fold()

  // Links to objects open them.

  function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (target instanceof HTMLDetailsElement) {
      target.open = true
      target.scrollIntoView()
    }
  }
  addEventListener('hashchange', openTarget)
  openTarget()

  // The contents show which part is read.

  const links = new Map(
    [...document.querySelectorAll('.contents a')].map((link) => [link.hash.slice(1), link]),
  )
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        for (const link of links.values()) link.removeAttribute('aria-current')
        links.get(target.id).setAttribute('aria-current', 'true')
      }
    },
    { rootMargin: '-15% 0px -75% 0px' },
  )
  for (const id of links.keys()) observer.observe(document.getElementById(id))
})()
