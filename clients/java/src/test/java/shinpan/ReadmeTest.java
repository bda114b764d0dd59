package shinpan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the README is short, compiles, and does what it says. */
class ReadmeTest {
    private static final String AROUND =
            """
            import shinpan.*;
            import shinpan.v1.*;

            public class Readme {
                public static void main(String[] arguments) {
            %s
                }
            }
            """;

    @Test
    void theProgramOfTheReadmeShowsTheBoardAfterItsMove(@TempDir Path folder) throws Exception {
        String program = Files.readString(Path.of("README.md")).split("```java\n", 2)[1].split("```", 2)[0];
        assertTrue(program.lines().count() < 15, program);
        Path source = folder.resolve("Readme.java");
        String address = Servers.variable("SHINPAN_PLAIN");
        Files.writeString(source, AROUND.formatted(program.replace("127.0.0.1:50051", address)));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = List.of(java, "-cp", System.getProperty("java.class.path"), source.toString());
        Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, run.waitFor(), printed);
        assertEquals(9, men(printed, 9, '2'), printed);
        assertEquals(8, men(printed, 1, '1'), printed);
        assertEquals(1, men(printed, 5, '1'), printed);
    }

    /** How many men of a seat the diagram has on a rank. */
    private static long men(String diagram, int rank, char seat) {
        return diagram.lines()
                .filter(line -> line.startsWith(" " + rank + " "))
                .flatMapToInt(line -> line.substring(3).chars())
                .filter(one -> one == seat)
                .count();
    }
}
