/// Shell completions, made from the tables of commands and options.
enum Completion {
  /// The possible first words of a command, and whether file names may follow them.
  private static let actions: [(command: String, words: [String], hasFiles: Bool)] = [
    ("presets", PresetsCommand.actions, true), ("setups", ShowCommand.setups.actions.keys.sorted(), true),
    ("setlists", ShowCommand.setlists.actions.keys.sorted(), true),
    ("devices", DevicesCommand.actions.keys.sorted(), false),
    ("bindings", BindingsCommand.actions.keys.sorted(), false),
    ("songs", FilesCommand.songs.actions.keys.sorted(), true),
    ("recordings", FilesCommand.recordings.actions.keys.sorted(), false),
  ]

  /// For bash, in `/usr/share/bash-completion/completions/pipit`.
  static var bash: String {
    var values: [String] = []
    for option in Option.all {
      guard let word = option.placeholder else { continue }
      let names = "--\(option.name)" + (option.letter.map { "|-\($0)" } ?? "")
      switch option.value {
      case .choice(let words): values.append("    \(names)) words='\(words.joined(separator: " "))' ;;")
      case _ where word == "DIR": values.append("    \(names)) files=-d ;;")
      case _ where isFile(word): values.append("    \(names)) files=-f ;;")
      default: values.append("    \(names)) return ;;")
      }
    }
    let options = Subcommand.all.map { command in
      "      \(command.name)) words='\(command.rows.map { "--" + $0.name }.joined(separator: " "))' ;;"
    }
    let actions = Self.actions.map { command, words, hasFiles in
      let other = hasFiles ? "else files=-f; " : ""
      return "      elif [ \"$command\" = \(command) ]; then"
        + " if [ \"$COMP_CWORD\" -eq 2 ]; then words='\(words.joined(separator: " "))'; \(other)fi"
    }
    return """
      # bash completion for pipit, made by 'pipit reference pipit.bash'
      _pipit() {
        local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= words= files=
        COMPREPLY=()
        if [ "$COMP_CWORD" -gt 1 ]; then command=${COMP_WORDS[1]}; fi
        if [[ $command = -* ]]; then command=serve; fi
        case $before in
      \(values.joined(separator: "\n"))
          *) if [[ $current = -* ]]; then case ${command:-serve} in
      \(options.joined(separator: "\n"))
            esac
            elif [ -z "$command" ] || [ "$command" = help ]; then words='\(names) help'
            elif [ "$command" = reference ]; then words='\(Reference.pages.map { $0.name }.joined(separator: " "))'
      \(actions.joined(separator: "\n"))
            else files=-f
            fi ;;
        esac
        if [ -n "$files" ]; then
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen "$files" -- "$current")
        else
          mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        fi
      }
      complete -F _pipit pipit

      """
  }

  /// For zsh, in `/usr/share/zsh/vendor-completions/_pipit`.
  static var zsh: String {
    var text = "#compdef pipit\n# zsh completion for pipit, made by 'pipit reference pipit.zsh'\n"
    text += "local -a commands=(\n"
    for command in Subcommand.all { text += "  \(quoted(command.name + ":" + command.about))\n" }
    text += "  'help:Show how a command is used.'\n)\n"
    text += "if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then _describe command commands; return; fi\n"
    text += "local command=$words[2]\n"
    // Without a command, the options are those of serve, and no command word is removed.
    text += "if [[ $command = -* ]]; then command=serve; else shift words; (( CURRENT-- )); fi\n"
    text += "case $command in\n"
    for command in Subcommand.all {
      text += "  \(command.name)) _arguments"
      for option in command.rows {
        let about = option.about.map { "[]:".contains($0) ? "\\\($0)" : String($0) }.joined()
        let action = option.placeholder.map { ":\($0):" + zshAction(option) } ?? ""
        text += " \\\n    \(quoted("--\(option.name)\(action.isEmpty ? "" : "=")[\(about)]\(action)"))"
      }
      if command.name == "reference" {
        text +=
          " \\\n    \(quoted("1:PAGE:(" + Reference.pages.map { $0.name }.joined(separator: " ") + ")"))"
      } else if let (_, words, hasFiles) = actions.first(where: { $0.command == command.name }) {
        text += " \\\n    \(quoted("1:ACTION:(" + words.joined(separator: " ") + ")"))"
        text += hasFiles ? " \\\n    '*:NAME:_files'" : ""
      } else if let operand = command.operand {
        text += " \\\n    \(quoted("1:\(operand):_files"))"
      }
      text += " ;;\n"
    }
    return text + "  help) _describe command commands ;;\nesac\n"
  }

  /// For fish, in `/usr/share/fish/vendor_completions.d/pipit.fish`.
  static var fish: String {
    var text = "# fish completion for pipit, made by 'pipit reference pipit.fish'\n"
    text += "complete -c pipit -f\n"
    for command in Subcommand.all {
      text += "complete -c pipit -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.about))\n"
      // The options of serve also apply without a command.
      let condition =
        command.name == Subcommand.serve.name
        ? "not __fish_seen_subcommand_from \(Subcommand.all.map { $0.name }.filter { $0 != "serve" }.joined(separator: " "))"
        : "__fish_seen_subcommand_from \(command.name)"
      for option in command.rows {
        text += "complete -c pipit -n \(quoted(condition)) -l \(option.name)"
        if let letter = option.letter { text += " -s \(letter)" }
        if let word = option.placeholder {
          if case .choice(let words) = option.value {
            text += " -x -a \(quoted(words.joined(separator: " ")))"
          } else if word == "DIR" {
            text += " -x -a '(__fish_complete_directories)'"
          } else {
            text += isFile(word) ? " -r -F" : " -x"
          }
        }
        text += " -d \(quoted(option.about))\n"
      }
      if command.name == "reference" {
        let pages = Reference.pages.map { $0.name }.joined(separator: " ")
        text += "complete -c pipit -n \(quoted(condition)) -a \(quoted(pages))\n"
      } else if let (_, words, hasFiles) = actions.first(where: { $0.command == command.name }) {
        let files = hasFiles ? " -F" : ""
        text +=
          "complete -c pipit -n \(quoted(condition))\(files) -a \(quoted(words.joined(separator: " ")))\n"
      } else if command.operand != nil {
        text += "complete -c pipit -n \(quoted(condition)) -F\n"
      }
    }
    return text
  }

  private static var names: String { Subcommand.all.map { $0.name }.joined(separator: " ") }

  /// True if the placeholder of a value means a file.
  private static func isFile(_ word: String) -> Bool { word == "FILE" || word.contains(".") }

  private static func zshAction(_ option: Option) -> String {
    if case .choice(let words) = option.value { return "(" + words.joined(separator: " ") + ")" }
    guard let word = option.placeholder else { return "" }
    return word == "DIR" ? "_files -/" : isFile(word) ? "_files" : " "
  }

  /// Quotes a text for all three shells.
  private static func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
}
